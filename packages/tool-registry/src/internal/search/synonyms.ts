/** Words that tools and those who look for them use for the same thing. General words only, no product's. */

import { splitWords, stem } from './words.js';

/** What tools do. Words of one line stand for each other; a word may be in several lines. */
const VERBS = `
create add new make insert generate open register start
delete remove drop erase destroy clear trash purge uninstall unregister cancel
update edit modify change set patch adjust alter replace raise
get fetch retrieve read show view load obtain describe inspect details info information
list enumerate show browse all
search find query lookup discover locate look
send post publish write submit deliver share notify
run execute invoke trigger start launch perform
stop cancel abort terminate kill halt end pause disable
restart rerun retry reboot restore rollback revert
copy duplicate clone fork
move transfer relocate rename
upload put store save write attach import
download export save fetch
reply respond answer
translate convert transform turn
summarize summary overview digest
merge combine join
check verify validate test inspect review
approve accept confirm
assign give delegate
link connect attach relate associate
invite add join
lock freeze
scale resize increase
subscribe follow watch monitor
analyze analyse evaluate assess compare
calculate compute count measure
extract parse scrape crawl
remember memorize store save`;

/** What they do it to. */
const NOUNS = `
message chat dm
email mail gmail inbox
repository repo
pr pull
issue ticket bug task todo
document doc file page
folder directory
picture image photo screenshot
chart graph plot diagram draw visualize
webpage website site url web page
internet web online
calendar schedule agenda
event meeting appointment
user member person people account
channel room
team group organization org
database db sql
table sheet spreadsheet
record row entry item
column field attribute
secret password credential token key
log event trace history
metric statistic stats analytics
price cost quote rate
weather forecast temperature climate
comment note remark annotation
invoice bill receipt
payment pay charge transaction
customer client contact lead
place location address
deploy release publish rollout
build compile
permission access role
config configuration setting option preference
cron schedule
environment env variable
video clip movie
music song audio track
news headline article
paper article publication study
stock share ticker symbol
time clock
date day today
error failure exception
container docker
pod kubernetes k8s kubectl
presentation slide ppt powerpoint deck
ci pipeline workflow
direction route navigation
tag label
version revision
queue topic
transcript subtitle caption
spec schema definition`;

/** The commonest of both in Spanish, French, German, Portuguese, Chinese and Japanese. */
const OTHER_LANGUAGES = `
crear crea créer erstellen criar 创建 新建 作成 create add
eliminar borrar supprimer löschen excluir 删除 削除 delete remove
buscar búsqueda chercher rechercher recherche suchen pesquisar 搜索 检索 検索 search find
enviar envoyer senden mandar 发送 送信 send post
obtener obtenir abrufen obter 获取 取得 get fetch
mostrar afficher zeigen anzeigen 查询 查看 查找 表示 get show search query
listar lister auflisten 列表 列出 一覧 list
actualizar modifier aktualisieren ändern atualizar 更新 修改 編集 update edit
leer lire lesen ler 读取 read
escribir écrire schreiben escrever 写入 write
descargar télécharger herunterladen baixar 下载 download
traducir traduire übersetzen traduzir 翻译 翻訳 translate
calcular calculer berechnen 计算 計算 calculate
correo courriel 邮件 email mail
mensaje nachricht mensagem 消息 message
archivo fichier datei arquivo 文件 file
carpeta dossier ordner pasta folder
página 网页 页面 page web
imagen bild imagem 图片 图像 画像 image
calendario calendrier kalender 日历 calendar
evento événement termin veranstaltung 事件 event
reunión réunion besprechung reunião 会议 会議 meeting event
tiempo clima météo wetter tempo prévisions pronóstico 天气 天気 weather forecast
noticias nouvelles nachrichten actualités notícias 新闻 news
usuario utilisateur benutzer usuário 用户 user
tabla tabelle tabela 表格 table
datos données daten dados 数据 data database
tarea tâche aufgabe tarefa 任务 task issue
factura facture rechnung fatura 发票 invoice
mapa carte karte 地图 地図 map
ruta itinéraire rota 路线 route directions
precio prix preis preço 价格 価格 price
canal kanal 频道 channel
pedido commande bestellung 订单 注文 order
cliente kunde 客户 顧客 customer
视频 動画 video
火车 列车 列車 train`;

interface Synonyms {
  /** By stem: the stems that may stand for it. */
  readonly bySense: ReadonlyMap<string, ReadonlySet<string>>;
  /** The stems of everything that a tool can do. */
  readonly verbs: ReadonlySet<string>;
}

let made: Synonyms | undefined;

/** The lists, read when the first query is searched for. */
export function synonyms(): Synonyms {
  if (made) return made;
  const groups = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => splitWords(line).map(stem));
  const verbs = groups(VERBS);
  const bySense = new Map<string, Set<string>>();
  for (const group of [...verbs, ...groups(NOUNS), ...groups(OTHER_LANGUAGES)]) {
    for (const word of group) {
      const others = bySense.get(word) ?? new Set();
      for (const other of group) if (other !== word) others.add(other);
      bySense.set(word, others);
    }
  }
  made = { bySense, verbs: new Set(verbs.flat()) };
  return made;
}
