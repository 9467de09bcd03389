//! Words for units, months and times in languages of which the finders know none.

use crate::letters;
use crate::specifics::words::Words;

/// The sign of ASCII for one of the same form in another width, or for a digit of any script.
pub(super) fn ascii(sign: char) -> Option<char> {
    Some(letters::usual_sign(sign)).filter(char::is_ascii)
}

/// The digit of ASCII for one of any script.
pub(super) fn digit(sign: char) -> Option<char> {
    ascii(sign).filter(char::is_ascii_digit)
}

/// What a mark of such a script is in ASCII.
pub(super) fn ascii_mark(sign: char) -> Option<&'static str> {
    Some(match sign {
        '。' | '．' | '।' => ". ",
        '、' | '，' | '،' => ", ",
        '；' | '؛' => "; ",
        '：' => ": ",
        '！' => "! ",
        '？' | '؟' => "? ",
        '（' => " (",
        '）' => ") ",
        '％' | '٪' => "%",
        '\u{3000}' => " ",
        _ => return None,
    })
}

/// Months with their numbers, as they are read.
pub(super) const MONTHS: &[(&str, u32)] = &[
    ("January", 1),
    ("February", 2),
    ("March", 3),
    ("April", 4),
    ("May", 5),
    ("June", 6),
    ("July", 7),
    ("August", 8),
    ("September", 9),
    ("October", 10),
    ("November", 11),
    ("December", 12),
];

/// Words for months behind a day: Polish, Ukrainian, Turkish, Hindi, Arabic, Thai.
pub(super) const MONTH_WORDS: &[(&str, u32)] = &[
    ("stycznia січня ocak Ocak जनवरी يناير มกราคม", 1),
    ("lutego лютого şubat Şubat फ़रवरी फरवरी فبراير กุมภาพันธ์", 2),
    ("marca березня mart Mart मार्च مارس มีนาคม", 3),
    ("kwietnia квітня nisan Nisan अप्रैल أبريل إبريل เมษายน", 4),
    ("maja травня mayıs Mayıs मई مايو พฤษภาคม", 5),
    ("czerwca червня haziran Haziran जून يونيو มิถุนายน", 6),
    ("lipca липня temmuz Temmuz जुलाई يوليو กรกฎาคม", 7),
    ("sierpnia серпня ağustos Ağustos अगस्त أغسطس สิงหาคม", 8),
    ("września вересня eylül Eylül सितंबर सितम्बर سبتمبر กันยายน", 9),
    ("października жовтня ekim Ekim अक्टूबर अक्तूबर أكتوبر ตุลาคม", 10),
    ("listopada листопада kasım Kasım नवंबर नवम्बर نوفمبر พฤศจิกายน", 11),
    ("grudnia грудня aralık Aralık दिसंबर दिसम्बर ديسمبر ธันวาคม", 12),
];

/// Words behind a figure with the unit that each is. Words that are others in languages whose units are known are left out.
pub(super) const UNITS: &[(&str, &str)] = &[
    (
        "ミリ秒 毫秒 밀리초 мс миллисекунд миллисекунды миллисекунда milisekund milisaniye मिलीसेकंड",
        "ms",
    ),
    (
        "秒間 秒钟 秒鐘 秒 초간 초 сек секунд секунды секунда секунду sekund sekundy sekundę saniye sn giây วินาที ثانية ثوان ثوانٍ ثواني सेकंड सेकेंड",
        "s",
    ),
    (
        "分間 分钟 分鐘 分 분간 분 мин минут минуты минута минуту хвилин minut minuty minutę dakika dk phút นาที دقيقة دقائق मिनट",
        "min",
    ),
    (
        "時間 小时 小時 个小时 個小時 시간 часов часа час годин godzin godziny godzinę saat giờ ชั่วโมง ساعة ساعات घंटे घंटा घंटों",
        "h",
    ),
    ("日間 天 일간 дней дня день днів dni dzień gün ngày วัน أيام يوم يوما दिन दिनों", "days"),
    (
        "週間 周 星期 週 주간 недель недели неделя неделю tygodni tygodnie tydzień hafta tuần สัปดาห์ أسابيع أسبوع हफ़्ते हफ्ते सप्ताह",
        "weeks",
    ),
    (
        "か月 ヶ月 ケ月 カ月 ヵ月 个月 個月 개월 месяцев месяца месяц miesięcy miesiące miesiąc เดือน أشهر شهر शهور महीने महीना",
        "months",
    ),
    ("年間 лет года год роки років lata yıl năm ปี سنوات سنة साल वर्ष", "years"),
    (
        "回 次 遍 번 회 раз попыток попытки попытка спроб prób próby próbę razy deneme kez kere lần ครั้ง مرات مرة محاولات محاولة बार प्रयास",
        "times",
    ),
    ("人 名 명 человек человека osób osoby kişi người คน أشخاص लोग लोगों", "people"),
    (
        "ページ 頁 页 쪽 페이지 страниц страницы stron strony sayfa trang หน้า صفحة صفحات पृष्ठ",
        "pages",
    ),
    ("個 个 개 штук шт sztuk adet cái ชิ้น", "pieces"),
    ("円 日元 엔 иен", "JPY"),
    ("元 人民币 人民幣 юаней", "CNY"),
    ("ドル 美元 달러 долларов доллара dolarów dolar دولار डॉलर", "USD"),
    ("ユーロ 欧元 歐元 유로 евро يورو यूरो", "EUR"),
    ("원 韩元", "KRW"),
    ("рублей рубля рубль руб", "RUB"),
    ("гривень грн", "UAH"),
    ("złotych złote", "PLN"),
    ("TL", "TRY"),
    ("रुपये रुपए रुपया", "INR"),
    ("درهم دراهم", "AED"),
    ("đồng", "VND"),
    ("บาท", "THB"),
    (
        "パーセント 퍼센트 процентов процента процент відсотків प्रतिशत بالمئة بالمائة เปอร์เซ็นต์",
        "percent",
    ),
    ("度 도", "degrees"),
    ("КБ", "KB"),
    ("МБ", "MB"),
    ("ГБ", "GB"),
    ("ТБ", "TB"),
    ("км", "km"),
    ("кг", "kg"),
];

/// Words that begin as units and are none.
pub(super) const NO_UNITS: &[&str] = &[
    "分の",
    "分支",
    "分类",
    "分類",
    "分析",
    "分割",
    "分野",
    "分钱",
    "次元",
    "次世代",
    "周年",
    "周波",
    "回目",
    "回路",
    "回答",
    "回転",
    "人目",
    "人工",
    "人物",
    "人称",
    "個目",
    "个别",
    "个性",
    "天气",
    "元素",
    "元件",
    "度目",
    "度合",
    "秒杀",
    "名前",
    "名字",
];

/// With what goes on what Korean joins to a unit: particles, and words for how long, how much and about.
pub(super) const BEHIND_UNITS: &str =
    "을를이가은는에의로도와과만으까부하한마간씩쯤전후동내정걸짜당뒤안입였미";

/// What a figure in front of them is multiplied by, the greatest first.
pub(super) const MYRIADS: &[(char, f64)] = &[
    ('兆', 1e12),
    ('億', 1e8),
    ('亿', 1e8),
    ('억', 1e8),
    ('万', 1e4),
    ('萬', 1e4),
    ('만', 1e4),
    ('千', 1e3),
];

/// Eras of Japan with the year before their first.
pub(super) const ERAS: &[(&str, u32)] = &[("令和", 2018), ("平成", 1988), ("昭和", 1925)];

/// Words for the halves of a day, and how many hours later than it says an hour behind them is.
pub(super) const DAY_HALVES: &[(&str, u32)] = &[
    ("午前", 0),
    ("上午", 0),
    ("早上", 0),
    ("凌晨", 0),
    ("오전", 0),
    ("午後", 12),
    ("下午", 12),
    ("晚上", 12),
    ("오후", 12),
];

/// Words for hours of the clock.
pub(super) const CLOCK_WORDS: &[&str] = &["時", "时", "点", "點", "시"];

/// Those words of [`MONTH_WORDS`] and [`UNITS`] that are in the letters of ASCII.
pub(super) static ASCII_WORDS: Words = Words::new(
    "Ekim Haziran Mart Nisan Ocak TL Temmuz adet czerwca dakika deneme dk dni dolar ekim godzin godziny \
     grudnia hafta haziran kere kez kwietnia lata lipca listopada lutego maja marca mart milisaniye \
     milisekund minut minuty nisan ocak osoby razy saat saniye sayfa sekund sekundy sierpnia sn stron \
     strony stycznia sztuk temmuz trang tygodni tygodnie",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_the_letters_of_ascii_are_known() {
        let units = UNITS.iter().map(|(words, _)| *words);
        let words = MONTH_WORDS.iter().map(|(words, _)| *words).chain(units);
        for word in words.flat_map(|words| words.split(' ')).filter(|word| word.is_ascii()) {
            assert!(ASCII_WORDS.holds(word), "{word}");
        }
    }
}
